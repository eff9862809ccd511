#pragma once

#include "bundled_program/bundle.h"
#include "inspector/format/table.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// The cases of a bundle during editing. Suites are kept sorted by method name, as required by the format.
class Suites {
  public:
    explicit Suites(std::vector<bundled_program::TestSuite> from);

    /// Removes cases: "forward:0", or "forward" for all cases of a method. Numbers refer to the cases before
    /// the removal. Errors: NotFound (the message lists the existing ones).
    [[nodiscard]] core::Result<> remove(std::span<const std::string> wanted);

    /// Appends a case to those of its method and returns its number. `method` is borrowed.
    std::size_t add(std::string_view method, bundled_program::TestCase testCase);

    [[nodiscard]] const std::vector<bundled_program::TestSuite>& all() const { return suites; }
    [[nodiscard]] std::size_t cases() const;

    /// One row per case: method, number, inputs and expected outputs.
    [[nodiscard]] inspector::format::Table table() const;

  private:
    [[nodiscard]] std::string known() const;

    std::vector<bundled_program::TestSuite> suites;
};

}  // namespace et::tasks
