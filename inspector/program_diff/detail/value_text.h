#pragma once

#include "runtime/program/method.h"

#include <string>
#include <vector>

namespace et::inspector::program_diff::detail {

/// "float32 [2, 3]", with dim order, bounds and device if they differ from the defaults.
[[nodiscard]] std::string typeText(const program::TensorInfo& tensor);
/// As above; for other kinds the format's name.
[[nodiscard]] std::string typeText(const program::Method& method, program::ValueId id);

/// Literals of a method as text: "2", "[1, 1]", "None", "\"none\"". List items that instructions write are
/// shown as "?". Long lists end in their length and a checksum of the omitted items.
class ValueTexts {
  public:
    explicit ValueTexts(const program::Method& from)
        : method(from), known(from.values.size()), written(from.values.size()) {}

    /// `id` must not be a tensor.
    [[nodiscard]] const std::string& of(program::ValueId id);
    /// The value is no longer a literal from here on.
    void markWritten(program::ValueId id) { written[id.value] = true; }

  private:
    [[nodiscard]] std::string make(program::ValueId id) const;

    const program::Method& method;
    std::vector<std::string> known;  ///< by ValueId; empty: not yet computed
    std::vector<bool> written;
};

}  // namespace et::inspector::program_diff::detail
