@testable import Calling

extension FuzzTarget {
    /// What is kept of calls.
    static let calling: [FuzzTarget] = [
        FuzzTarget(name: "call-record") { input in
            try roundTrip(input, "a record", normalises: true, read: CallRecord.init(decoding:)) { $0.encoded() }
        },
        FuzzTarget(name: "call-record-key") { input in
            try roundTrip(input, "a record's key", normalises: true, read: CallRecordKey.init(decoding:)) {
                $0.encoded()
            }
        },
    ]
}
