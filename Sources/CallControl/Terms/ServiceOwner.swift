import Portal

extension Bus {
    /// The unique name of the Parley that runs; starts none.
    /// - Throws: ``ServiceError/notRunning``.
    func owner(ofService name: String) async throws(ServiceError) -> String {
        do {
            guard let owner = try await owner(of: name) else { throw PortalError.noPortal }
            return owner
        } catch let error as PortalError {
            throw ServiceError(error)
        } catch {
            throw .notRunning
        }
    }
}
