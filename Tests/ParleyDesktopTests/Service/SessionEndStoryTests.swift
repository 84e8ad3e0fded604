import FakePortal
import Foundation
import TestSupport
import Testing

/// What the other side hears when the session of somebody who is in a call ends.
@Suite(.windows, .serialized, .timeLimit(.minutes(5))) final class SessionEndStoryTests: DesktopSuite {
    private var manager: WindowManager?
    private var home: PrivateBus!
    private var town: ServiceTown!

    override init() throws {
        try super.init()
        manager = try WindowManager()
        let home = try blocking { try await PrivateBus(startsServices: false) }
        self.home = home
        town = try ServiceTown(home: home.address)
    }

    deinit {
        town = nil
        (manager, home) = (nil, nil)
    }

    /// Ben calls Ada's Parley, and by her session's bus the call is accepted; gives both.
    private func inCall() throws -> (ada: RunningProgram, ben: ChildProcess) {
        let ada = try town.startService()
        atEnd { ada.kill() }
        let ben = try town.benCalls("--audio")
        try town.accept(try town.call(.ringing))
        try town.wait(for: "firstFrame", of: ben)
        return (ada, ben)
    }

    @Test func `a program that is told to end hangs up first`() throws {
        let (ada, ben) = try inCall()
        ada.signal(SIGTERM)
        #expect(try town.wait(for: "ended", of: ben)["reason"] as? String == "peerHungUp")
        #expect(try town.end(of: ben) == 0, "\(ben.errors)")
        #expect(ada.exitStatus() == 0)
    }

    @Test func `a program whose bus goes hangs up and ends`() throws {
        let (ada, ben) = try inCall()
        home.end()
        #expect(try town.wait(for: "ended", of: ben)["reason"] as? String == "peerHungUp")
        #expect(try town.end(of: ben) == 0, "\(ben.errors)")
        #expect(ada.exitStatus() == 0)
    }

    @Test func `a program that is told to end while it starts ends without a crash`() throws {
        for step in 0..<12 {
            let folder = try RunningProgram.emptyFolder().path
            let parley = try RunningProgram([
                "--profile", folder + "/profile", "--name", "Ada", "--key-file", "--camera", "test", "--microphone",
                "test",
            ])
            atEnd { parley.kill() }
            try town.wait("the profile") { FileManager.default.fileExists(atPath: folder + "/profile") }
            usleep(useconds_t(step * 40_000))
            parley.signal(SIGTERM)
            #expect(parley.exitStatus() == 0)
        }
    }
}
