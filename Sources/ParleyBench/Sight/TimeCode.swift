/// A number drawn in a picture, at its upper left: twelve squares, a fortieth of the picture's width each. The first is white, the
/// second black, then eight bits, the highest first, white for 1, their parity, and the complement of that.
///
/// It survives compression and scaling down to 160 pixels of width.
enum TimeCode {
    /// Numbers go from 0 to this, without it.
    static let limit = 256
    static let squares = 12
    static let squaresInWidth = 40
    // What television calls white and black.
    private static let white: UInt8 = 235, black: UInt8 = 16

    /// Draws `number`, of which eight bits count.
    static func draw(_ number: Int, in picture: inout LumaPicture) {
        for (index, isWhite) in pattern(number).enumerated() {
            let (x, y) = place(index, in: picture)
            picture.fill(x: x, y: y, with: isWhite ? white : black)
        }
    }

    /// The number; nil where none can be read.
    static func read(_ picture: LumaPicture) -> Int? {
        let levels = (0..<squares).map { index in
            let (x, y) = place(index, in: picture)
            // The middle: edges are blurred.
            let (dx, dy) = (x.count / 4, y.count / 4)
            return picture.mean(
                x: x.lowerBound + dx..<max(x.upperBound - dx, x.lowerBound + dx + 1),
                y: y.lowerBound + dy..<max(y.upperBound - dy, y.lowerBound + dy + 1))
        }
        return read(levels: levels)
    }

    /// The number of squares as bright as that.
    static func read(levels: [Double]) -> Int? {
        guard levels.count == squares, levels[0] - levels[1] > 60 else { return nil }
        let middle = (levels[0] + levels[1]) / 2
        let bits = levels.map { $0 > middle }
        let number = bits[2..<10].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        return pattern(number) == bits ? number : nil
    }

    private static func pattern(_ number: Int) -> [Bool] {
        let bits = (0..<8).reversed().map { number >> $0 & 1 == 1 }
        let parity = !bits.count(where: { $0 }).isMultiple(of: 2)
        return [true, false] + bits + [parity, !parity]
    }

    private static func place(_ index: Int, in picture: LumaPicture) -> (x: Range<Int>, y: Range<Int>) {
        func edge(_ square: Int) -> Int { square * picture.width / squaresInWidth }
        return (edge(index)..<max(edge(index + 1), edge(index) + 1), 0..<max(edge(1), 1))
    }
}
