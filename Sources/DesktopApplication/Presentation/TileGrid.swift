/// Where the tiles of a call are in their grid.
enum TileGrid {
    /// How many columns of the grid a tile takes, so that a row that is not full can stand in the middle.
    static let width = 2

    /// The places of so many tiles, row by row: in columns of half a tile, and in rows.
    /// - Parameters:
    ///   - columns: How many stand beside one another in a window that is wider than high.
    ///   - isHigh: Whether the window is higher than wide; then the grid is, too.
    static func places(of count: Int, columns: Int, isHigh: Bool) -> [(column: Int, row: Int)] {
        guard count > 0 else { return [] }
        let columns = max(1, min(columns, count))
        let wanted = isHigh ? (count + columns - 1) / columns : columns
        let lastRow = (count - 1) / wanted
        let missing = (lastRow + 1) * wanted - count
        return (0..<count).map { tile in
            let row = tile / wanted
            return (tile % wanted * width + (row == lastRow ? missing : 0), row)
        }
    }
}
