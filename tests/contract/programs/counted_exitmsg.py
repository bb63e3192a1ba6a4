raise SystemExit("msg")
