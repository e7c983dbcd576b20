; window.scm - what GIMP does in window.sh; window.py presses the buttons.
; The two take turns by files in @DIR@.
;
; SPDX-License-Identifier: GPL-3.0-or-later
(script-fu-use-v3)
(gimp-message-set-handler 1)

(define (say . things) (for-each display things) (newline))
(define (ok good . text)
  (apply say (if good "ok - " "not ok - ") text))

(define (turn name)
  (let ((file (string-append "@DIR@/" name)))
    (while (not (file-exists? file))
      (usleep 50000))))

(define (at name)
  (dir-make (string-append "@DIR@/at-" name)))

(define (open name)
  (gimp-file-load RUN-INTERACTIVE (string-append "@DIR@/" name ".dcm")))
(define (count image) (vector-length (gimp-image-get-layers image)))

; several frames, of which the user wants some
(define frames (open "frames"))
(ok (= 2 (count frames)) "the frames that were asked for")
(ok (equal? "Frame 2" (gimp-item-get-name
                        (vector-ref (gimp-image-get-layers frames) 0)))
    "the first on top")
(gimp-image-delete frames)

; Cancel: GIMP takes it for no error, and gives no image
(let ((result (catch "error" (open "frames"))))
  (ok (= 0 (vector-length (gimp-get-images))) "Cancel leaves nothing"))
(at "cancelled")

; stopped in the middle
(let ((result (catch "error" (open "many"))))
  (ok (= 0 (vector-length (gimp-get-images))) "stopping leaves nothing"))
(at "stopped")

; a single picture through a preset
(define lung (open "blocks"))
(define screen (gimp-display-new lung))
(gimp-displays-flush)
(at "lung")
(turn "go-lung")
(gimp-display-delete screen)

; asked once, told not to ask again
(define single (open "blocks"))
(ok (= 1 (count single)) "a single picture")
(set! screen (gimp-display-new single))
(gimp-displays-flush)
(at "shown")
(turn "go-1")
(gimp-display-delete screen)

(define again (open "blocks"))
(ok (= 1 (count again)) "opened without asking")
(ok (= 1 (vector-length (gimp-drawable-get-filters
                          (vector-ref (gimp-image-get-layers again) 0))))
    "as the last one was")
(gimp-image-delete again)
(at "again")

(say "# done")
