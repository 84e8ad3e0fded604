/// Versions of the end-to-end encryption (Agent fact sheet §1).
package enum RatchetVersions {
    /// What this code reads and writes: 2, and 3 without post-quantum keys.
    package static let supported: ClosedRange<UInt16> = 2...3
    /// What links and confirmations of ours say, so that no peer sends post-quantum fields.
    package static let advertised = VersionRange(minimum: 2, maximum: 2)
    /// From here on there are post-quantum fields and two-byte lengths.
    static let withKEMFields: UInt16 = 3
}
