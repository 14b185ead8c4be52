// The types of the rooms below that a public signature of MeroKit names, so that `import MeroKit` is enough.

@_exported import struct MeroHTTP.HTTPBody
@_exported import struct MeroHTTP.HTTPHeaders
@_exported import struct MeroHTTP.HTTPMethod
@_exported import struct MeroHTTP.HTTPRequest
@_exported import enum MeroHTTP.HTTPRequestBody
@_exported import struct MeroHTTP.HTTPResponse
@_exported import protocol MeroHTTP.HTTPTransport
@_exported import struct MeroHTTP.MeroClock
@_exported import struct MeroHTTP.MeroRandom
@_exported import struct MeroHTTP.TransportError
@_exported import class MeroHTTP.URLSessionTransport
@_exported import struct MeroTrust.Measurements
@_exported import struct MeroTrust.QuoteEvidence
@_exported import protocol MeroTrust.QuoteVerifier
@_exported import struct MeroTrust.TCBStatus
@_exported import struct MeroTrust.TeePolicy
@_exported import enum MeroTrust.TrustError
@_exported import struct MeroTrust.TrustRefusal
@_exported import struct MeroTrust.TrustReport
@_exported import struct MeroWire.JSONNumber
@_exported import struct MeroWire.JSONObject
@_exported import enum MeroWire.JSONValue
@_exported import struct MeroWire.WireError
