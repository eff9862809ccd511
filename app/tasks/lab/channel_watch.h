#pragma once

#include "backends/reference/interpreter.h"
#include "backends/xnnpack/quantize/quantization_numbers.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace et::tasks {

/// Statistics of one channel of a value.
struct ChannelNumbers {
    backends::xnnpack::ValueRange range{};  ///< includes 0
    double sum = 0;
    std::uint64_t count = 0;

    [[nodiscard]] double mean() const { return count == 0 ? 0 : sum / static_cast<double>(count); }
};

/// Collects statistics of channels of values while a graph runs.
class ChannelWatch {
  public:
    /// Adds a float32 value whose channels are dimension 1 (`images`), else the last dimension.
    void add(std::string_view value, bool images) { watched[std::string(value)].images = images; }
    [[nodiscard]] backends::reference::NodeObserver observer();
    /// Returns an empty list if the value was not seen.
    [[nodiscard]] const std::vector<ChannelNumbers>& of(std::string_view value) const;

  private:
    struct Watched {
        bool images = false;
        std::vector<ChannelNumbers> channels{};
    };
    static void note(Watched& into, const core::Tensor& tensor);

    std::map<std::string, Watched, std::less<>> watched;
};

}  // namespace et::tasks
