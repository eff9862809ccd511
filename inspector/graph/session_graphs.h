#pragma once

#include "inspector/graph/simplify.h"
#include "inspector/session/session.h"
#include "runtime/core/graph.h"
#include "runtime/core/result.h"
#include "runtime/executor/backend.h"
#include "runtime/program/method.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

// The graphs of an open session: of its program, its record and its delegates.
namespace et::inspector {

/// One available graph.
struct GraphChoice {
    enum class Kind : std::uint8_t {
        Program,   ///< instructions of a method, with expanded delegates
        Package,   ///< a method of a package
        Delegate,  ///< content of one delegate of a method
        Edge,      ///< a method's Edge graph of the record
        Exported,  ///< the record's exported program
        Extra      ///< another graph of the record
    };
    Kind kind = Kind::Program;
    std::string method;  ///< for Extra: its name in the record
    program::DelegateId delegate{0};
    std::string title;  ///< "Program: forward", "Delegate 0 of forward (VulkanBackend)"

    bool operator==(const GraphChoice&) const = default;
};

/// Ordered by relevance; at most the first hundred delegates of a method.
[[nodiscard]] std::vector<GraphChoice> graphChoices(const Session& session);

/// Builds the graph, with sections if it is too broad to draw. Slow: may read and parse a record's graph.
/// Errors: those of the sources (graph_sources.h) and of the readers; NotFound (the session has no such
/// graph).
[[nodiscard]] core::Result<core::ModelGraph> graphOf(const Session& session, const GraphChoice& choice,
                                                     std::span<const executor::Backend* const> backends);

/// The same graph, simplified (simplify.h).
[[nodiscard]] core::Result<SimplifiedGraph> makeReadableGraph(
    const Session& session, const GraphChoice& choice, std::span<const executor::Backend* const> backends);

}  // namespace et::inspector
