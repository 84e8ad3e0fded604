/// Sizes messages are padded to, so that a relay cannot tell them apart (Agent fact sheet §3 and §6).
package enum PaddedCounts {
    /// Inside the ratchet: connection information in a confirmation.
    package static let connectionInformation = 14832
    /// Inside the ratchet: every other agent message.
    package static let agentMessage = 15840
    /// Inside the per-queue box: confirmations and contact requests.
    package static let confirmation = 15904
    /// Inside the per-queue box: every other message.
    package static let message = 16000
    /// The longest body of an application message: 15,840 less length (2), letter and number (9), hash (33) and tag (1).
    package static let maximumBody = agentMessage - 2 - 43
}
