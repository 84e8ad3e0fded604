/// Where the tiles of a call are in their grid.
enum TileGrid {
    /// The places of so many tiles, row by row.
    /// - Parameters:
    ///   - columns: How many stand beside one another in a window that is wider than high.
    ///   - isHigh: Whether the window is higher than wide; then the grid is, too.
    static func places(of count: Int, columns: Int, isHigh: Bool) -> [(column: Int, row: Int)] {
        guard count > 0 else { return [] }
        let columns = max(1, min(columns, count))
        let wanted = isHigh ? (count + columns - 1) / columns : columns
        return (0..<count).map { ($0 % wanted, $0 / wanted) }
    }
}
