#pragma once

#include "app/tasks/program_file.h"
#include "inspector/join/instruction_nodes.h"
#include "inspector/memory/measured_memory.h"
#include "inspector/memory/memory_timeline.h"
#include "inspector/session/session.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace et::app {

/// Whose memory to look at, and beside what.
struct MemoryQuestion {
    std::filesystem::path model;     ///< a program or a bundled program
    inspector::SessionFiles beside;  ///< a record, and a trace with allocations; either may be missing
    std::string method;              ///< empty: all
    bool whatIf = false;             ///< plan the same tensors again
};

/// The memory plans of a program, in all the forms that they are shown in.
class MemoryPage {
  public:
    /// Errors: those of the files; NotFound (no such method; a trace without allocations of the program),
    /// Limit (plans beyond all measure).
    [[nodiscard]] static core::Result<MemoryPage> open(const MemoryQuestion& question);

    /// Tensors that overlap, files that contradict the program; all of them.
    [[nodiscard]] const std::vector<std::string>& warnings() const { return notes; }
    /// For people. `top`: tensors and constants to list; 0: all.
    [[nodiscard]] std::string text(std::size_t top) const;
    /// As docs/json.md has it.
    [[nodiscard]] std::string json() const;
    /// A row for each tensor.
    [[nodiscard]] std::string csv() const;
    /// As SVG.
    [[nodiscard]] std::string picture() const;

  private:
    /// What was looked at: of each method its memory.
    struct Looked {
        std::vector<inspector::MemoryTimeline> timelines;
        std::vector<inspector::InstructionNodes> nodes;
        std::vector<std::vector<inspector::WhatIf>> whatIfs;
        std::vector<std::vector<inspector::MeasuredBytes>> measured;
        std::vector<std::vector<inspector::AllocatorUse>> allocations;
        std::uint64_t context = 0;  ///< positions of a language model's text; 0: the program does not say
    };

    [[nodiscard]] core::Result<> look();
    [[nodiscard]] core::Result<> lookAt(const program::Method& method);
    [[nodiscard]] core::Result<> compareWithTrace();
    [[nodiscard]] core::Result<> measure();
    [[nodiscard]] inspector::report::List methods(bool forPeople, std::size_t top) const;

    MemoryQuestion asked;
    ProgramFile file;
    std::shared_ptr<const inspector::Session> session;
    Looked looked;
    std::vector<std::string> notes;
};

}  // namespace et::app
