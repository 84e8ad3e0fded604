import Testing
@testable import Cryptography
@Test func scratch() {}
