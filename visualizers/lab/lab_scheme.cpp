#include "visualizers/lab/lab_scheme.h"

#include <algorithm>

namespace et::visualizers {

QString labSchemeName(LabScheme scheme) {
    switch (scheme) {
        case LabScheme::Static8:
            return QStringLiteral("w8a8-static");
        case LabScheme::Float:
            return QStringLiteral("float");
        case LabScheme::Dynamic8:
            return QStringLiteral("w8a8-dynamic");
        case LabScheme::Weights8:
            return QStringLiteral("w8");
        case LabScheme::Dynamic4:
            return QStringLiteral("w4a8-dynamic:32");
        case LabScheme::Half:
            break;
    }
    return QStringLiteral("fp16");
}

std::optional<LabScheme> parseLabScheme(const QString& name) {
    const auto* const found = std::ranges::find(labSchemes, name, labSchemeName);
    return found == labSchemes.end() ? std::nullopt : std::optional(*found);
}

bool isStudied(const LabChoice& choice) {
    return std::ranges::all_of(choice, [](LabScheme each) { return isStudied(each); });
}

}  // namespace et::visualizers
