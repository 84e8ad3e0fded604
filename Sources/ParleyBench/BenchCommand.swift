import ArgumentParser
import Dispatch
import Foundation
import GLibKit

/// The program.
@main enum Bench {
    @MainActor static func main() {
        guard CallPeerCommand.drawsWindow(CommandLine.arguments) else {
            Task {
                await BenchCommand.main()
                exit(EXIT_SUCCESS)
            }
            // As an asynchronous main does: the main thread hears signals that were blocked when this was started.
            dispatchMain()
        }
        MainLoop.serveMainActor()
        let loop = MainLoop()
        Task {
            await BenchCommand.main()
            loop.quit()
        }
        loop.run()
    }
}

/// `parley-bench`: measures what limits a relay or a call.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parley-bench",
        abstract: "Measures relays and calls, with the ceiling beside every figure, and calls on poor networks.",
        subcommands: [
            RelayCommand.self, SetupCommand.self, DevicesCommand.self, HoldCommand.self, LogCommand.self,
            NetworkCommand.self, FrameEncryptionCommand.self, CallCommand.self, GroupCommand.self,
            MirrorCommand.self,
            PeerCommand.self, StreamCommand.self, CallPeerCommand.self, GroupPeerCommand.self, HostilePeerCommand.self,
        ])
}
