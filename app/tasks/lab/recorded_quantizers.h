#pragma once

#include "backends/reference/interpreter.h"
#include "backends/xnnpack/quantize/prepared_model.h"
#include "backends/xnnpack/quantize/removed_quantizers.h"
#include "etrecord/record.h"
#include "runtime/core/result.h"

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::app {

/// The quantizers that a record has, for the graph of a prepared model, which has none: what is quantized
/// where, with which numbers.
class RecordedQuantizers {
  public:
    using Annotation = backends::xnnpack::Annotation;
    using QuantizationNumbers = backends::xnnpack::QuantizationNumbers;

    /// `removed` of a record of the same model as `of`, which has to live as long. Errors: as
    /// matchingValues() and EdgeMethod::tensor().
    [[nodiscard]] static core::Result<RecordedQuantizers> match(
        const backends::xnnpack::RemovedQuantizers& removed, backends::xnnpack::PreparedModel& of);

    /// The rule of a site that the record has in float; empty: it is quantized there.
    [[nodiscard]] std::string ruleOf(const backends::xnnpack::QuantizationSite& site) const;
    /// Leaves in an annotation what the record quantizes. `others`: adds what it quantizes beside the sites.
    void restrict(Annotation& annotation, bool others) const;
    /// The numbers of values that share a scale; nothing where the record has other values share one, so that
    /// it cannot know.
    [[nodiscard]] std::optional<QuantizationNumbers> numbersOf(
        std::span<const std::string_view> values) const;
    /// The numbers that one of the values has in the record.
    [[nodiscard]] QuantizationNumbers nearestNumbers(std::span<const std::string_view> values) const;
    /// What the weights of an annotation are, as their integers in the record say.
    [[nodiscard]] std::vector<backends::xnnpack::ConstantChange> weights(const Annotation& annotation) const;

  private:
    template <class T>
    using ByValue = std::map<std::string, T, std::less<>>;

    backends::xnnpack::PreparedModel* model = nullptr;
    ByValue<QuantizationNumbers> numbers;
    ByValue<backends::reference::ReferenceTensor> constants;
    std::set<std::vector<std::string_view>> shared;  ///< values of one scale, with all sites quantized
    std::vector<std::string_view> strangers;         ///< quantized values that no site has
};

}  // namespace et::app
