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

// The graphs that an open session has: of its program, its record and its delegates.
namespace et::inspector {

/// One of them.
struct GraphChoice {
    enum class Kind : std::uint8_t {
        Program,   ///< instructions of a method, delegates opened
        Delegate,  ///< the inside of one delegate of a method
        Edge,      ///< a method's Edge graph of the record
        Exported,  ///< the record's exported program
        Extra      ///< another graph of the record
    };
    Kind kind = Kind::Program;
    std::string method;  ///< of Extra: its name in the record
    program::DelegateId delegate{0};
    std::string title;  ///< "Program: forward", "Delegate 0 of forward (VulkanBackend)"

    bool operator==(const GraphChoice&) const = default;
};

/// In the order in which people look for them; at most the first hundred delegates of a method.
[[nodiscard]] std::vector<GraphChoice> graphChoices(const Session& session);

/// Makes it, with sections where it is too broad to be drawn. Slow: reads a record's graph where nothing has
/// before. Errors: those of the sources (graph_sources.h) and of the readers; NotFound (the session has no
/// such graph).
[[nodiscard]] core::Result<core::ModelGraph> graphOf(const Session& session, const GraphChoice& choice,
                                                     std::span<const executor::Backend* const> backends);

/// The same, made easier to read (simplify.h).
[[nodiscard]] core::Result<SimplifiedGraph> readableGraphOf(
    const Session& session, const GraphChoice& choice, std::span<const executor::Backend* const> backends);

}  // namespace et::inspector
