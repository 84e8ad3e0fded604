import AgentProtocol
import SMP

extension MessageIntegrity {
    /// Reads what `encoded` wrote.
    init(decoding bytes: [UInt8]) throws {
        do {
            var reader = ByteReader(bytes)
            switch try reader.byte() {
            case 0: self = .ok
            case 1: self = .skipped(from: try reader.int64(), to: try reader.int64())
            case 2: self = .badID(try reader.int64())
            case 3: self = .duplicate
            case 4: self = .badHash
            default: throw StoreError.damaged("received.integrity")
            }
        } catch {
            throw StoreError.damaged("received.integrity")
        }
    }

    /// For the store.
    var encoded: [UInt8] {
        ByteWriter.build { writer in
            switch self {
            case .ok: writer.byte(0)
            case .skipped(let first, let last):
                writer.byte(1)
                writer.int64(first)
                writer.int64(last)
            case .badID(let id):
                writer.byte(2)
                writer.int64(id)
            case .duplicate: writer.byte(3)
            case .badHash: writer.byte(4)
            }
        }
    }
}
