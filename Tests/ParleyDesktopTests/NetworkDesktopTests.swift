import Foundation
import Testing

/// What the windows say of the machine's network.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class NetworkDesktopTests: DesktopSuite {
    @Test func `a lost network is said once, and goes when it is back`() throws {
        let parley = try RunningProgram(
            ["--pause", "100", "--no-network"], program: RunningProgram.fakeCalls())
        try parley.see("There is no network.")
        #expect(!parley.shows("The relay relay.invalid"), "the relay says it, too")
        parley.screenshot("no-network")
        parley.signal(SIGUSR1)
        try parley.seeNoMore("There is no network.")
        try parley.see("The relay relay.invalid can’t be reached")
        parley.kill()
    }
}
