; dialog.scm - what GIMP does in dialog.sh; dialog.py presses the buttons.
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

; Tells the driver where we are: a folder is quickly made
(define (at name)
  (dir-make (string-append "@DIR@/at-" name)))

(define image (gimp-image-new 300 200 RGB))
(define layer (gimp-layer-new image "layer" 300 200 RGB-IMAGE 100
                              LAYER-MODE-NORMAL))
(gimp-image-undo-disable image)  ; there shall be nothing to undo
(gimp-image-insert-layer image layer 0 0)
(gimp-context-set-foreground "#203040")
(gimp-context-set-background "#90a080")
(gimp-drawable-edit-gradient-fill layer GRADIENT-LINEAR 0 #f 1 0 #f
                                  0 0 300 200)
(gimp-image-undo-enable image)
(define screen (gimp-display-new image))
(gimp-image-clean-all image)

(define (checksum)
  (isolux-test-checksum #:image image #:drawables (vector layer)))
(define (filters) (vector-length (gimp-drawable-get-filters layer)))
(define (dialog)
  (catch "refused"
    (plug-in-isolux-equalize #:run-mode RUN-INTERACTIVE
                             #:image image #:drawables (vector layer))))

(define before (checksum))

; Cancel
(dialog)
(ok (= (filters) 0) "Cancel leaves no filter")
(ok (equal? (checksum) before) "Cancel leaves the pixels")
(ok (not (gimp-image-is-dirty image)) "Cancel leaves a clean image clean")
(at "cancelled")
(turn "go-1")
(ok (and (= (filters) 0) (equal? (checksum) before)
         (not (gimp-image-is-dirty image)))
    "Cancel leaves nothing to undo")

; OK
(dialog)
(define after (checksum))
(ok (= (filters) 0) "OK leaves no filter when it merges")
(ok (not (equal? after before)) "OK changes the pixels")
(ok (gimp-image-is-dirty image) "OK makes the image dirty")
(at "done")
(turn "go-2")
(ok (and (equal? (checksum) before) (= (filters) 0))
    "one undo gives the original")
(at "undone")
(turn "go-3")
(ok (equal? (checksum) after) "redo gives the result again")

; Non-destructive, as chosen in the dialog
(dialog)
(ok (= (filters) 1) "OK keeps the filter when asked to")
(ok (equal? (checksum) after) "and leaves the pixels below it")
(at "kept")
(turn "go-4")
(ok (= (filters) 0) "one undo removes the filter")

; The last values
(plug-in-isolux-equalize #:run-mode RUN-WITH-LAST-VALS
                         #:image image #:drawables (vector layer))
(ok (= (filters) 1) "the last values are those of the dialog")


; A group, which keeps its filter, and a channel, which cannot, in one go
(define channel (gimp-channel-new image "channel" 300 200 50 "red"))
(define group (gimp-group-layer-new image "group"))
(gimp-image-undo-disable image)
(gimp-image-insert-channel image channel 0 0)
(gimp-drawable-edit-gradient-fill channel GRADIENT-LINEAR 0 #f 1 0 #f
                                  0 0 300 200)
(gimp-image-insert-layer image group 0 0)
(gimp-image-reorder-item image layer group 0)
(gimp-image-undo-enable image)
(define (channel-checksum)
  (isolux-test-checksum #:image image #:drawables (vector channel)))
(define channel-before (channel-checksum))
(plug-in-isolux-equalize #:run-mode RUN-INTERACTIVE
                         #:image image #:drawables (vector group channel))
(ok (= (vector-length (gimp-drawable-get-filters group)) 1)
    "a group keeps the filter")
(ok (not (equal? (channel-checksum) channel-before))
    "a channel beside it is merged")
(at "both")
(turn "go-5")
(ok (and (= (vector-length (gimp-drawable-get-filters group)) 0)
         (equal? (channel-checksum) channel-before))
    "one undo takes back both")

; A channel alone
(at "channel")
(catch "cancelled"
  (plug-in-isolux-equalize #:run-mode RUN-INTERACTIVE
                           #:image image #:drawables (vector channel)))
(ok (equal? (channel-checksum) channel-before) "Cancel leaves a channel")

(gimp-display-delete screen)
