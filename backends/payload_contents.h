#pragma once

#include "backends/payload_bytes.h"
#include "runtime/core/graph.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/program/method.h"

#include <optional>
#include <string>
#include <vector>

// The bytes of a payload, as far as its format is known.
//
// A backend lists them in a function ContentLister in its folder, which is named in the table of
// payload_contents.cpp:
//
//     core::Result<> listContents(const program::Delegate& delegate, const executor::NamedDataSource&
//     namedData,
//                                 PayloadContents& contents) {
//         ET_ASSIGN(const Blocks blocks, readBlocks(delegate.payload));
//         contents.described.add(delegate.payload.data(), headerSize);
//         contents.described.addOpaque(blocks.weights);
//         contents.parts.push_back({.name = "weights.bin", .data = blocks.weights});
//         return {};
//     }
//
// 'et-inspect extract --payload' writes each part to a file; 'delegates' and others list parts, and count
// bytes that are described, opaque (the rest) and padding (zeros in the rest).
namespace et::backends {

/// A named byte range of a delegate: a file of a package, or a section of a container.
struct PayloadPart {
    /// Relative path with '/': "model.mlpackage/Manifest.json". As the payload spells it: readers need not
    /// check it, because extract rejects names that would leave its folder.
    std::string name;
    core::Bytes data;  ///< in the payload, or in named data
};

/// Collects the contents of a payload.
struct PayloadContents {
    explicit PayloadContents(core::Bytes payload) : described(payload) {}

    /// Describes the constants of a graph that are in the payload.
    void addConstants(const core::ModelGraph& graph);

    ByteCoverage described;          ///< bytes that the backend's describe() uses or explains
    std::vector<PayloadPart> parts;  ///< in the order of the payload; they may overlap
};

/// Errors: as executor::Backend::describe(); then all bytes are opaque.
using ContentLister = core::Result<> (*)(const program::Delegate& delegate,
                                         const executor::NamedDataSource& namedData,
                                         PayloadContents& contents);

/// Lists the contents by the table of backends. Errors: as a ContentLister's; Unsupported (the format is
/// unknown).
[[nodiscard]] core::Result<> listContents(const program::Delegate& delegate,
                                          const executor::NamedDataSource& namedData,
                                          PayloadContents& contents);

/// A part with its place.
struct ListedPart {
    PayloadPart part;
    std::optional<std::size_t> offset{};  ///< in the payload; nothing: in named data
    PayloadBytes bytes{};                 ///< of named data: all opaque
};

/// The bytes of a payload.
struct ListedContents {
    PayloadBytes bytes{};  ///< adds up to the size of the payload
    std::vector<ListedPart> parts{};
};

/// Lists the contents of a payload. If this build does not know the format, or the payload is damaged, all
/// bytes are opaque (zeros: padding), and there are no parts.
[[nodiscard]] ListedContents listedContents(const program::Delegate& delegate,
                                            const executor::NamedDataSource& namedData);

}  // namespace et::backends
