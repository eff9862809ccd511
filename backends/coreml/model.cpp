#include "backends/coreml/model.h"

#include "backends/coreml/protobuf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace et::backends::coreml {
namespace {

constexpr std::uint32_t specificationField = 1;
constexpr std::uint32_t descriptionField = 2;
constexpr std::uint32_t defaultFunctionField = 21;
constexpr std::uint32_t firstTypeField = 200;

struct ModelType {
    std::uint32_t field;
    std::string_view name;
};
constexpr std::array modelTypes = std::to_array<ModelType>({
    {200, "pipeline classifier"},
    {201, "pipeline regressor"},
    {202, "pipeline"},
    {300, "linear regressor"},
    {301, "support vector regressor"},
    {302, "tree ensemble regressor"},
    {303, "neural network regressor"},
    {304, "Bayesian probit regressor"},
    {400, "linear classifier"},
    {401, "support vector classifier"},
    {402, "tree ensemble classifier"},
    {403, "neural network classifier"},
    {404, "nearest neighbors classifier"},
    {500, "neural network"},
    {501, "item similarity recommender"},
    {502, "ML Program"},
    {555, "custom model"},
    {556, "linked model"},
    {560, "class confidence thresholding"},
    {600, "one-hot encoder"},
    {601, "imputer"},
    {602, "feature vectorizer"},
    {603, "dictionary vectorizer"},
    {604, "scaler"},
    {606, "categorical mapping"},
    {607, "normalizer"},
    {609, "array feature extractor"},
    {610, "non-maximum suppression"},
    {900, "identity"},
    {2000, "text classifier"},
    {2001, "word tagger"},
    {2002, "vision feature print"},
    {2003, "sound analysis preprocessing"},
    {2004, "gazetteer"},
    {2005, "word embedding"},
    {2006, "audio feature print"},
    {3000, "serialized model"},
});

struct Specification {
    std::uint64_t version;
    std::string_view systems;
};
// Versions of Model.proto, and the targets of coremltools.
constexpr std::array specifications = std::to_array<Specification>({
    {1, "iOS 11, macOS 10.13"},
    {2, "iOS 11.2, macOS 10.13.2"},
    {3, "iOS 12, macOS 10.14"},
    {4, "iOS 13, macOS 10.15"},
    {5, "iOS 14, macOS 11"},
    {6, "iOS 15, macOS 12"},
    {7, "iOS 16, macOS 13"},
    {8, "iOS 17, macOS 14"},
    {9, "iOS 18, macOS 15"},
    {10, "iOS 26, macOS 26"},
});

}  // namespace

core::Result<Model> readModel(core::Bytes message) {
    Model model;
    ET_TRY(forEachField(message, [&](const ProtobufField& field) -> core::Result<> {
        if (field.number == specificationField) {
            model.specification = field.value;
        } else if (field.number == descriptionField && field.isLengthDelimited) {
            return forEachField(field.bytes, [&](const ProtobufField& each) -> core::Result<> {
                if (each.number == defaultFunctionField) {
                    model.defaultFunction = each.text();
                }
                return {};
            });
        } else if (field.number >= firstTypeField && field.isLengthDelimited) {
            const auto* const type = std::ranges::find(modelTypes, field.number, &ModelType::field);
            model.type = type == modelTypes.end() ? std::string_view{} : type->name;
            model.typeField = field.number;
            model.content = field.bytes;
        }
        return {};
    }));
    return model;
}

std::string specificationText(std::uint64_t version) {
    const auto* const known = std::ranges::find(specifications, version, &Specification::version);
    return known == specifications.end() ? fmt::to_string(version)
                                         : fmt::format("{} ({})", version, known->systems);
}

}  // namespace et::backends::coreml
