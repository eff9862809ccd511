#include "app/studio/overview/finding_actions.h"

#include <QtGlobal>

#include <algorithm>
#include <array>

namespace et::studio {

namespace {

constexpr std::array actions{
    FindingAction{"plan-overlap", "memory", QT_TRANSLATE_NOOP("findings", "Show the Plan")},
    FindingAction{"peak-tensor", "memory", QT_TRANSLATE_NOOP("findings", "Show the Plan")},
    FindingAction{"fragmented-plan", "memory", QT_TRANSLATE_NOOP("findings", "Try Other Plans")},
    FindingAction{"split-partition", "graph", QT_TRANSLATE_NOOP("findings", "Show in the Graph")},
    FindingAction{"undelegated-operator", "graph", QT_TRANSLATE_NOOP("findings", "Show in the Graph")},
    FindingAction{"quantize-outside", "lab", QT_TRANSLATE_NOOP("findings", "Try in the Lab")},
    FindingAction{"data-movement", "graph", QT_TRANSLATE_NOOP("findings", "Show in the Graph")},
    FindingAction{"no-delegate", "delegates", QT_TRANSLATE_NOOP("findings", "Show Delegates")},
    FindingAction{"layout-conversion", "delegates", QT_TRANSLATE_NOOP("findings", "Show Delegates")},
    FindingAction{"delegate-overhead", "delegates", QT_TRANSLATE_NOOP("findings", "Show Delegates")},
    FindingAction{"below-limit", "limits", QT_TRANSLATE_NOOP("findings", "Show the Limits")},
    FindingAction{"hot-operator", "timeline", QT_TRANSLATE_NOOP("findings", "Show on the Timeline")},
    FindingAction{"interpreter-time", "timeline", QT_TRANSLATE_NOOP("findings", "Show on the Timeline")},
    FindingAction{"slow-first-run", "timeline", QT_TRANSLATE_NOOP("findings", "Show on the Timeline")},
    FindingAction{"slow-load", "timeline", QT_TRANSLATE_NOOP("findings", "Show on the Timeline")},
    FindingAction{"attention-growth", "generate", QT_TRANSLATE_NOOP("findings", "Show by Position")},
    FindingAction{"weight-bound-decode", "lab", QT_TRANSLATE_NOOP("findings", "Try Smaller Weights")},
    FindingAction{"undelegated-phase", "delegates", QT_TRANSLATE_NOOP("findings", "Show Delegates")},
    FindingAction{"costly-logits", "timeline", QT_TRANSLATE_NOOP("findings", "Show on the Timeline")},
    FindingAction{"cache-copies", "timeline", QT_TRANSLATE_NOOP("findings", "Show on the Timeline")},
    FindingAction{"prefill-by-token", "timeline", QT_TRANSLATE_NOOP("findings", "Show on the Timeline")},
    FindingAction{"unsteady-runs", "run", QT_TRANSLATE_NOOP("findings", "Measure Again")},
    FindingAction{"logged-values", "run", QT_TRANSLATE_NOOP("findings", "Measure Without Values")},
};

}  // namespace

const FindingAction* actionOf(std::string_view rule) {
    const auto* const found = std::ranges::find(actions, rule, &FindingAction::rule);
    return found == actions.end() ? nullptr : &*found;
}

}  // namespace et::studio
