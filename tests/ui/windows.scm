; windows.scm - GIMP's side of windows.py: loads what it finds in @DIR@ and
; writes down what came out.
;
; SPDX-License-Identifier: GPL-3.0-or-later
(script-fu-use-v3)
(gimp-message-set-handler 1)

(define (file name) (string-append "@DIR@/" name))

; What a piece of code says with (answer ...)
(define answers '())
(define (answer . things) (set! answers (append answers things)))

; load would not let errors be caught
(define (evaluate port)
  (let ((expression (read port)))
    (if (not (eof-object? expression))
        (begin (eval expression (interaction-environment))
               (evaluate port)))))

; The numbers count up, so that each piece is loaded once
(define (serve n)
  (let ((code (file (string-append "code-" (number->string n)))))
    (cond ((file-exists? (file "quit")) #t)
          ((file-exists? code)
           (set! answers '())
           (catch (answer "ERROR")
             (call-with-input-file code evaluate))
           (call-with-output-file
             (file (string-append "result-" (number->string n)))
             (lambda (port)
               (for-each (lambda (thing) (display thing port) (newline port))
                         answers)))
           (dir-make (file (string-append "done-" (number->string n))))
           (serve (+ n 1)))
          (else (usleep 50000) (serve n)))))

(serve 1)
