extension ContactRequest {
    /// What a record says to the application.
    init(_ record: RequestRecord) {
        self.init(
            id: record.id, address: record.address, brokerTime: record.brokerTime, information: record.information)
    }
}
