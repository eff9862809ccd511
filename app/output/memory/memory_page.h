#pragma once

#include "app/output/cells.h"
#include "app/tasks/base/program_file.h"
#include "inspector/join/instruction_nodes.h"
#include "inspector/memory/allocation_trace.h"
#include "inspector/memory/measured_memory.h"
#include "inspector/memory/memory_timeline.h"
#include "inspector/session/session.h"
#include "runtime/core/kv_cache.h"
#include "runtime/core/result.h"
#include "runtime/executor/kv_cache_plan.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::output {

/// Input of MemoryPage.
struct MemoryQuery {
    std::filesystem::path model;     ///< a program or a bundled program
    inspector::SessionFiles beside;  ///< a record, and a trace with allocations, both optional
    std::string method;              ///< empty: all
    bool whatIf = false;             ///< compute alternative plans for the same tensors
    core::KvCacheSettings caches;    ///< of KV caches outside the program
};

/// The memory plans of a program in all output formats.
class MemoryPage {
  public:
    /// Errors: those of opening the files; NotFound (no such method; a trace without allocations of the
    /// program), Limit (memory plans that are too large).
    [[nodiscard]] static core::Result<MemoryPage> open(const MemoryQuery& question);

    /// Warnings about overlapping tensors and files that contradict the program.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return notes; }
    /// Text for a terminal. `top`: number of tensors and constants to list; 0: all.
    [[nodiscard]] std::string text(std::size_t top) const;
    /// JSON as described in docs/reference/json.md.
    [[nodiscard]] std::string json() const;
    /// One row per tensor.
    [[nodiscard]] std::string csv() const;
    /// As a trace for chrome://tracing. Errors: those of allocationTrace().
    [[nodiscard]] core::Result<std::string> chromeTrace(inspector::AllocationPlace place) const;
    /// As SVG.
    [[nodiscard]] std::string picture() const;

  private:
    [[nodiscard]] std::vector<inspector::MemoryView> views() const;

    /// The memory of each method.
    struct QueryResult {
        std::vector<inspector::MemoryTimeline> timelines;
        std::vector<inspector::InstructionNodes> nodes;
        std::vector<std::vector<inspector::AlternativePlan>> alternativePlans;
        std::vector<std::vector<inspector::MeasuredBytes>> measured;
        std::vector<std::vector<inspector::AllocatorUse>> allocations;
        std::uint64_t context = 0;  ///< context length of a language model, in positions; 0: the program does
                                    ///< not specify it
        executor::KvCachePlan caches;  ///< outside the program
    };

    [[nodiscard]] core::Result<> look();
    [[nodiscard]] core::Result<> lookAt(const program::Method& method);
    [[nodiscard]] core::Result<> compareWithTrace();
    [[nodiscard]] core::Result<> measure();
    [[nodiscard]] List methods(bool forPeople, std::size_t top) const;

    MemoryQuery asked;
    tasks::ProgramFile file;
    std::shared_ptr<const inspector::Session> session;
    QueryResult looked;
    std::vector<std::string> notes;
};

}  // namespace et::output
