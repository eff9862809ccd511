#pragma once

#include "backends/compile_spec_rules.h"

#include <array>

namespace et::backends::qnn {

/// Names of Qualcomm's chips by their number (soc_model).
inline constexpr std::array chipLabels = std::to_array<SpecLabel>({
    {0, "UNKNOWN_SM"},
    {30, "SM8350 (Snapdragon 888)"},
    {36, "SM8450 (Snapdragon 8 Gen 1)"},
    {39, "SA8295"},
    {42, "SM8475 (Snapdragon 8 Gen 1+)"},
    {43, "SM8550 (Snapdragon 8 Gen 2)"},
    {45, "SXR1230P"},
    {46, "SSG2115P"},
    {52, "SA8255"},
    {53, "SXR2230P"},
    {57, "SM8650 (Snapdragon 8 Gen 3)"},
    {58, "SSG2125P"},
    {69, "SM8750 (Snapdragon 8 Elite)"},
    {72, "SA8797"},
    {75, "SXR2330P"},
    {77, "QCS9100"},
    {87, "SM8850 (Snapdragon 8 Elite Gen 5)"},
    {93, "QCM6490"},
    {95, "SAR2230P"},
    {96, "SW6100"},
    {97, "SM8845"},
});

}  // namespace et::backends::qnn
