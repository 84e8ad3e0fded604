/// Where the tiles of a call are in their grid, whose lines are all of one size.
enum TileGrid {
    /// Where one tile is, in columns and rows from the upper left.
    struct Place: Equatable {
        var column: Int
        var row: Int
        /// How many columns it takes.
        var width = TileGrid.width
        /// How many rows it takes.
        var height = 1
    }

    /// How many columns a tile of a grid takes, so that a row that is not full can stand in the middle.
    static let width = 2
    /// How many lines of small tiles are as thick as the large one beside them.
    private static let largeShare = 3
    /// The most small tiles in one line.
    private static let mostInLine = 4

    /// The places of so many tiles of one size, row by row.
    /// - Parameters:
    ///   - columns: How many stand beside one another in a window that is wider than high.
    ///   - isHigh: Whether the window is higher than wide; then the grid is, too.
    static func places(of count: Int, columns: Int, isHigh: Bool) -> [Place] {
        guard count > 0 else { return [] }
        let columns = max(1, min(columns, count))
        let wanted = isHigh ? (count + columns - 1) / columns : columns
        let lastRow = (count - 1) / wanted
        let missing = (lastRow + 1) * wanted - count
        return (0..<count).map { tile in
            let row = tile / wanted
            return Place(column: tile % wanted * width + (row == lastRow ? missing : 0), row: row)
        }
    }

    /// The places of a large tile and of so many small ones: in lines beside it, or below it in a window that is higher than wide. Small
    /// ones are never longer than a third of the window, and what is left of it is on either side of them.
    static func spotlight(over count: Int, isHigh: Bool) -> [Place] {
        let lines = max(1, (count + mostInLine - 1) / mostInLine)
        let inLine = max(largeShare, (count + lines - 1) / lines)
        let large = Place(column: 0, row: 0, width: largeShare, height: inLine * width)
        let small = (0..<count).map { tile in
            let line = tile / inLine
            let here = min(inLine, count - line * inLine)
            return Place(
                column: largeShare + line, row: tile % inLine * width + (inLine - here), width: 1, height: width)
        }
        return ([large] + small).map { place in
            guard isHigh else { return place }
            return Place(column: place.row, row: place.column, width: place.height, height: place.width)
        }
    }

    /// The places of tiles that stand to each other in this way.
    static func places(of count: Int, _ layout: GroupPresentation.Layout, isHigh: Bool) -> [Place] {
        switch layout {
        case .grid(let columns): places(of: count, columns: columns, isHigh: isHigh)
        case .spotlight where count > 0: spotlight(over: count - 1, isHigh: isHigh)
        case .spotlight: []
        }
    }
}
