/// The packing half of ``LZString``.
struct LZStringEncoder {
    /// A phrase: its index, and its unit if it has only one.
    private struct Phrase {
        var index: Int
        var unit: UInt16?
    }

    /// A phrase that is one unit longer than another.
    private struct Extension: Hashable {
        var prefix: Int
        var unit: UInt16
    }

    private var singles: [UInt16: Int] = [:]
    private var extensions: [Extension: Int] = [:]
    /// Units which have an index but were not written yet.
    private var unwritten: Set<UInt16> = []
    /// Indices 0, 1 and 2 are the marks for an 8-bit unit, a 16-bit unit and the end.
    private var nextIndex = 3
    private var width = 2
    private var untilWider = 2
    private var characters: [UInt8] = []
    private var pending: Int = 0
    private var pendingBits = 0

    mutating func encode(_ units: [UInt16]) -> String {
        var phrase: Phrase?
        for unit in units {
            let single = index(of: unit)
            guard let known = phrase else {
                phrase = Phrase(index: single, unit: unit)
                continue
            }
            let longer = Extension(prefix: known.index, unit: unit)
            if let index = extensions[longer] {
                phrase = Phrase(index: index, unit: nil)
            } else {
                emit(known)
                extensions[longer] = takeIndex()
                phrase = Phrase(index: single, unit: unit)
            }
        }
        if let phrase { emit(phrase) }
        write(2, bits: width)
        return finish()
    }

    private mutating func index(of unit: UInt16) -> Int {
        if let index = singles[unit] { return index }
        let index = takeIndex()
        singles[unit] = index
        unwritten.insert(unit)
        return index
    }

    private mutating func takeIndex() -> Int {
        defer { nextIndex += 1 }
        return nextIndex
    }

    private mutating func emit(_ phrase: Phrase) {
        if let unit = phrase.unit, unwritten.remove(unit) != nil {
            let isNarrow = unit < 256
            write(isNarrow ? 0 : 1, bits: width)
            write(Int(unit), bits: isNarrow ? 8 : 16)
            tick()
        } else {
            write(phrase.index, bits: width)
        }
        tick()
    }

    private mutating func tick() {
        untilWider -= 1
        if untilWider == 0 {
            untilWider = 1 << width
            width += 1
        }
    }

    /// Writes a number, least significant bit first.
    private mutating func write(_ number: Int, bits: Int) {
        for bit in 0..<bits { write(bit: number >> bit & 1) }
    }

    private mutating func write(bit: Int) {
        pending = pending << 1 | bit
        pendingBits += 1
        if pendingBits == 6 {
            characters.append(LZString.alphabet[pending & 63])
            pending = 0
            pendingBits = 0
        }
    }

    private mutating func finish() -> String {
        repeat { write(bit: 0) } while pendingBits != 0
        while characters.count % 4 != 0 { characters.append(UInt8(ascii: "=")) }
        return String(decoding: characters, as: UTF8.self)
    }
}
