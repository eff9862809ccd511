#pragma once

#include "inspector/explain/explanation.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace et::inspector {

inline Explanation explained(std::string_view log) {
    return explain(scanLog(log));
}

/// Rank from 1 of the first cause whose text, with its remedy, contains both words; 0: none.
inline std::size_t rankOf(const Explanation& explanation, std::string_view cause, std::string_view remedy) {
    for (std::size_t i = 0; i < explanation.causes.size(); ++i) {
        if (explanation.causes[i].cause.contains(cause) && explanation.causes[i].remedy.contains(remedy)) {
            return i + 1;
        }
    }
    return 0;
}

inline std::string listed(const Explanation& explanation) {
    std::string out = explanation.failure;
    for (const ExplainedCause& each : explanation.causes) {
        out += "\n- " + each.cause + "\n  " + each.remedy;
    }
    return out;
}

}  // namespace et::inspector
