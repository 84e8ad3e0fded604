import Testing
@testable import SMP
@Test func scratch() {}
