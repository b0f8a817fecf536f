import gdb

CRASHES = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL", "SIGTRAP", "SIGSYS")
crash = None


def stopped(event):
    global crash
    if isinstance(event, gdb.SignalEvent) and event.stop_signal in CRASHES:
        crash = event.stop_signal


def library(pc):
    name = gdb.solib_name(pc)
    if name:
        return name
    return gdb.current_progspace().filename or "?"


for setting in ("pagination off", "confirm off", "detach-on-fork off", "schedule-multiple on",
                "print inferior-events off", "debuginfod enabled off"):
    try:
        gdb.execute("set " + setting)
    except gdb.error:
        pass
gdb.events.stop.connect(stopped)
try:
    gdb.execute("run", to_string=True)
    while crash is None:
        running = [i for i in gdb.inferiors() if i.pid]
        if not running:
            break
        if not gdb.selected_inferior().pid:
            gdb.execute("inferior %d" % running[0].num, to_string=True)
        gdb.execute("continue", to_string=True)
except gdb.error as e:
    print("the debugger failed: %s" % e)
if crash:
    print("ERROR: Debugger: %s" % crash)
    try:
        if int(gdb.parse_and_eval("$_siginfo._sifields._sigfault.si_addr")) < 4096 and crash == "SIGSEGV":
            print("Hint: address points to the zero page.")
    except gdb.error:
        pass
    frame, number = gdb.newest_frame(), 0
    while frame is not None and number < 100:
        try:
            at = frame.find_sal()
            where = "(%s+0x0)" % library(frame.pc())
            if at.symtab:
                where = "%s:%d" % (at.symtab.filename, at.line)
            if frame.name() and frame.type() != gdb.SIGTRAMP_FRAME:
                print("    #%d 0x%x in %s %s" % (number, frame.pc(), frame.name(), where))
            frame, number = frame.older(), number + 1
        except gdb.error:
            break
for i in gdb.inferiors():
    if i.pid:
        gdb.execute("inferior %d" % i.num, to_string=True)
        gdb.execute("kill", to_string=True)
