import Foundation

/// libFuzzer's own main, in its library without one.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// `ParleyFuzz --list`, `ParleyFuzz --seeds FOLDER`, or `ParleyFuzz TARGET ARGUMENTS…` with the arguments of libFuzzer.
@main
enum ParleyFuzz {
    // Written once, before the driver starts; the driver calls back on the same thread.
    nonisolated(unsafe) private static var target: FuzzTarget?

    /// Where children find the target: to merge, libFuzzer starts the program again with its own arguments only.
    private static let variable = "PARLEY_FUZZ_TARGET"

    static func main() {
        var given = Array(CommandLine.arguments.dropFirst())
        let name = ProcessInfo.processInfo.environment[variable] ?? (given.isEmpty ? "--list" : given.removeFirst())
        if name == "--list" {
            for target in FuzzTarget.all { print(target.name) }
            return
        }
        if name == "--seeds", let folder = given.first { return writeSeeds(folder) }
        guard let found = FuzzTarget.all.first(where: { $0.name == name }) else {
            print("There is no target “\(name)”.")
            exit(2)
        }
        target = found
        setenv(variable, name, 1)
        var arguments = ([CommandLine.arguments[0]] + given).map { strdup($0) }
        arguments.append(nil)
        var count = CInt(arguments.count - 1)
        let status = arguments.withUnsafeMutableBufferPointer { buffer in
            // An array with at least the program's name and the end mark has an address.
            var address = buffer.baseAddress!
            return runDriver(&count, &address, test)
        }
        exit(status)
    }

    /// Writes the real inputs, a folder a target.
    private static func writeSeeds(_ folder: String) {
        do {
            let seeds = try FuzzSeeds()
            for target in FuzzTarget.all {
                let folder = URL(fileURLWithPath: folder).appendingPathComponent(target.name)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                for (index, seed) in seeds.of(target.name).enumerated() {
                    try Data(seed).write(to: folder.appendingPathComponent("seed-\(index)"))
                }
            }
        } catch {
            print("The seeds can't be written: \(error)")
            exit(2)
        }
    }

    private static let test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt = { address, count in
        do {
            try target?.run(Array(UnsafeBufferPointer(start: address, count: count)))
        } catch {
            fatalError("\(error)")
        }
        return 0
    }
}
