import Testing

@testable import MediaRules

@Suite(.timeLimit(.minutes(5))) struct RoomBoundsTests {
    @Test func `among many pictures and voices that go to a room are smaller`() {
        let (few, many) = (RoomBounds(others: 3), RoomBounds(others: 4))
        #expect(few.soundStep == 0 && many.soundStep == 1)
        #expect(many.pictures.pixels < few.pictures.pixels)
        #expect(RoomBounds(others: 7) == many && RoomBounds(others: 0) == few)
    }
}
