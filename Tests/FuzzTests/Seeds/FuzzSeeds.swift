import TestSupport

/// Real inputs for the targets, made from the vectors: what a fuzzer starts from, and what has to be taken without a fault.
struct FuzzSeeds {
    /// Inputs by the name of their target.
    private(set) var inputs: [String: [[UInt8]]] = [:]

    /// - Throws: an error of Foundation for a vector file that is not there.
    init() throws {
        try addRelayProtocol()
        try addHellos()
        try addRows()
        try addLinks()
        try addAgentProtocol()
        try addSignaling()
        try addMedia()
        addCallLog()
        addSFU()
        addScripts()
    }

    mutating func add(_ target: String, _ input: [UInt8]?) {
        // What is longer than a block adds nothing a fuzzer could not make of a shorter one.
        if let input, input.count <= 20_000 { inputs[target, default: []].append(input) }
    }

    mutating func add(_ target: String, _ text: String?) { add(target, text.map { Array($0.utf8) }) }

    /// The inputs, all of them once, in a stable order.
    func of(_ target: String) -> [[UInt8]] {
        var seen: Set<[UInt8]> = []
        return (inputs[target] ?? []).filter { seen.insert($0).inserted }
    }

    /// The byte that stands for a version in front of an input.
    static func byte(ofVersion version: Int) -> UInt8 { UInt8(clamping: version - 6) }
}
