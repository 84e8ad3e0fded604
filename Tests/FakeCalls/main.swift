import DesktopApplication
import Glibc

// The windows with pretended calls: FakeCalls [--pause MS] [--calls-wait] [--sounds] [OPTIONS OF parley]
do {
    let options = try FakeOptions(CommandLine.arguments.dropFirst())
    exit(
        Program.run(options.rest) {
            FakeProvider(pause: options.pause, ringsOnSignal: options.callsWait, isHeard: options.isHeard)
        })
} catch {
    print(error)
    exit(2)
}
