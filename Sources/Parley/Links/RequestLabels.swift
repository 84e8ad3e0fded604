import Foundation

/// What was put on those who ask, as it is kept.
enum RequestLabels {
    static func encoded(_ labels: [Int64: [ContactLabel]]) -> [UInt8]? {
        (try? JSONEncoder().encode(labels)).map { [UInt8]($0) }
    }

    /// Nil when it can't be read.
    static func decoded(_ bytes: [UInt8]) -> [Int64: [ContactLabel]]? {
        try? JSONDecoder().decode([Int64: [ContactLabel]].self, from: Data(bytes))
    }
}
