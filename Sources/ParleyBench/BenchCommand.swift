import ArgumentParser

/// `parley-bench`: measures what limits a relay.
@main
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parley-bench", abstract: "Measures relays, with the ceiling beside every figure.",
        subcommands: [RelayCommand.self, MirrorCommand.self])
}
