import ArgumentParser

/// `parley-bench`: measures what limits a relay or a call.
@main
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
