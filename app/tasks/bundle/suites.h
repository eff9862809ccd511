#pragma once

#include "bundled_program/bundle.h"
#include "inspector/format/table.h"
#include "runtime/core/result.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// The cases of a bundle while they change. Suites stay sorted by the name of their method, as the format
/// wants it.
class Suites {
  public:
    explicit Suites(std::vector<bundled_program::TestSuite> from);

    /// Takes cases out: "forward:0", or "forward" for all of a method. All numbers are those that the cases
    /// have before. Errors: NotFound (says what there is).
    [[nodiscard]] core::Result<> remove(std::span<const std::string> wanted);

    /// Puts a case behind those of its method and returns its number. `method` is borrowed.
    std::size_t add(std::string_view method, bundled_program::TestCase testCase);

    [[nodiscard]] const std::vector<bundled_program::TestSuite>& all() const { return suites; }
    [[nodiscard]] std::size_t cases() const;

    /// A row for each case: method, number, inputs and expected outputs.
    [[nodiscard]] inspector::report::Table table() const;

  private:
    [[nodiscard]] std::string known() const;

    std::vector<bundled_program::TestSuite> suites;
};

}  // namespace et::app
