import ArgumentParser

/// `parley-bench`: measures what limits relays and calls.
@main
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parley-bench", abstract: "Measures relays, with the ceiling beside every figure, and calls on poor networks.",
        subcommands: [RelayCommand.self, NetworkCommand.self, MirrorCommand.self, PeerCommand.self])
}
