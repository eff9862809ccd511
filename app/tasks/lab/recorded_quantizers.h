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

namespace et::tasks {

/// The quantizers of a record, mapped to the graph of a prepared model without quantizers: quantized values
/// and their parameters.
class RecordedQuantizers {
  public:
    using Annotation = backends::xnnpack::Annotation;
    using QuantizationNumbers = backends::xnnpack::QuantizationNumbers;

    /// `removed`: of a record of the same model as `of`, which must outlive this object. Errors: those of
    /// matchingValues() and EdgeMethod::tensor().
    [[nodiscard]] static core::Result<RecordedQuantizers> match(
        const backends::xnnpack::RemovedQuantizers& removed, backends::xnnpack::PreparedModel& of);

    /// Returns the rule of a site that is in float in the record; empty if it is quantized there.
    [[nodiscard]] std::string ruleOf(const backends::xnnpack::QuantizationSite& site) const;
    /// Keeps only what the record quantizes in an annotation. `others`: adds what it quantizes outside the
    /// sites.
    void restrict(Annotation& annotation, bool others) const;
    /// Returns the quantization parameters of values that share a scale; nothing if other values share one in
    /// the record, so that they are unknown.
    [[nodiscard]] std::optional<QuantizationNumbers> numbersOf(
        std::span<const std::string_view> values) const;
    /// Returns the quantization parameters of one of the values in the record.
    [[nodiscard]] QuantizationNumbers nearestNumbers(std::span<const std::string_view> values) const;
    /// Returns the weights of an annotation, computed from their integers in the record.
    [[nodiscard]] std::vector<backends::xnnpack::ConstantChange> weights(const Annotation& annotation) const;

  private:
    template <class T>
    using ByValue = std::map<std::string, T, std::less<>>;

    backends::xnnpack::PreparedModel* model = nullptr;
    ByValue<QuantizationNumbers> numbers;
    ByValue<backends::reference::ReferenceTensor> constants;
    std::set<std::vector<std::string_view>> shared;  ///< groups of values with a common scale, with all sites
                                                     ///< quantized
    std::vector<std::string_view> strangers;         ///< quantized values outside the sites
};

}  // namespace et::tasks
