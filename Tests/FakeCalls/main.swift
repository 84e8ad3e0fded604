import BaseKit
import DesktopApplication
import Glibc

// The windows with pretended calls:
// FakeCalls [--pause MS] [--calls-wait] [--sounds] [--named] [--new] [--locked] [--keyring-locked] [--no-network] [--log N] [OPTIONS OF parley]
do {
    let options = try FakeOptions(CommandLine.arguments.dropFirst())
    ProgramEnd.leave(
        Program.run(options.rest, isAlone: !options.hasName) {
            FakeProvider(
                pause: options.pause, ringsOnSignal: options.callsWait, isHeard: options.isHeard,
                isLocked: options.isLocked, hasLockedKeyring: options.hasLockedKeyring,
                hasNoNetwork: options.hasNoNetwork, callCount: options.callCount, isNew: options.isNew)
        })
} catch {
    print(error)
    exit(2)
}
