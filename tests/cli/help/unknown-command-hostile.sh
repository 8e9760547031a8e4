heddle $'a\e[31m\nb'
