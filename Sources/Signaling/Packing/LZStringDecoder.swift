/// The unpacking half of ``LZString``, for text from anywhere.
///
/// Each phrase of the dictionary is a stretch of what was already unpacked, so the memory in use is bounded by the
/// limit on the output, whatever the input says.
struct LZStringDecoder {
    private let bits: [UInt8]
    private let limit: Int
    private var position = 0
    private var output: [UInt16] = []
    /// Stretches of the output; indices 0, 1 and 2 are marks and never looked up.
    private var phrases: [Range<Int>] = [0..<0, 0..<0, 0..<0]
    private var width = 3
    private var untilWider = 4

    init(packed: String, limit: Int) {
        bits = Array(packed.utf8)
        self.limit = limit
    }

    mutating func decode() throws(LZStringError) -> [UInt16] {
        guard let first = try readUnit(mark: try read(bits: 2)) else { return [] }
        try append(unit: first)
        phrases.append(0..<1)
        var previous = 0..<1
        while true {
            var code = try read(bits: width)
            if code == 2 { return output }
            if code < 2 {
                guard let unit = try readUnit(mark: code) else { return output }
                // The unit is a phrase of its own; it is about to stand at the end of the output.
                code = phrases.count
                phrases.append(output.count..<output.count + 1)
                tick()
                try append(unit: unit)
                // A phrase of the previous one and the first unit of this one: they are neighbours in the output.
                phrases.append(previous.lowerBound..<previous.upperBound + 1)
                previous = output.count - 1..<output.count
            } else {
                let start = output.count
                try append(code: code, after: previous)
                phrases.append(previous.lowerBound..<previous.upperBound + 1)
                previous = start..<output.count
            }
            tick()
        }
    }

    private mutating func tick() {
        untilWider -= 1
        if untilWider == 0 {
            untilWider = 1 << width
            width += 1
        }
    }

    private mutating func append(unit: UInt16) throws(LZStringError) {
        guard output.count < limit else { throw .tooLong(limit: limit) }
        output.append(unit)
    }

    private mutating func append(code: Int, after previous: Range<Int>) throws(LZStringError) {
        let isNext = code == phrases.count
        guard isNext || code < phrases.count else { throw .invalidCode }
        let phrase = isNext ? previous : phrases[code]
        guard output.count + phrase.count + (isNext ? 1 : 0) <= limit else { throw .tooLong(limit: limit) }
        for index in phrase { output.append(output[index]) }
        if isNext { output.append(output[previous.lowerBound]) }
    }

    /// The unit that follows a mark, or nil for the end mark.
    private mutating func readUnit(mark: Int) throws(LZStringError) -> UInt16? {
        switch mark {
        case 0: UInt16(truncatingIfNeeded: try read(bits: 8))
        case 1: UInt16(truncatingIfNeeded: try read(bits: 16))
        case 2: nil
        default: throw .invalidCode
        }
    }

    /// Reads a number, least significant bit first.
    private mutating func read(bits count: Int) throws(LZStringError) -> Int {
        var number = 0
        for bit in 0..<count { number |= try readBit() << bit }
        return number
    }

    private mutating func readBit() throws(LZStringError) -> Int {
        let index = position / 6
        guard index < bits.count, bits[index] != UInt8(ascii: "=") else { throw .truncated }
        guard let value = Self.value(of: bits[index]) else { throw .invalidCharacter(offset: index) }
        defer { position += 1 }
        return value >> (5 - position % 6) & 1
    }

    private static func value(of character: UInt8) -> Int? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(character) - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(character) - 97 + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(character) - 48 + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
