#include "app/studio/overview/finding_actions.h"

#include <QtGlobal>

#include <algorithm>
#include <array>

namespace et::studio {

namespace {

constexpr std::array actions{
    FindingAction{"plan-overlap", "memory", "Show the Plan"},
    FindingAction{"lost-first-values", "tensors", "Show the State"},
    FindingAction{"integer-remainder", "graph", "Show in the Graph"},
    FindingAction{"invalid-training", "graph", "Show the Graph"},
    FindingAction{"missing-backward", "graph", "Show in the Graph"},
    FindingAction{"reordered-inputs", "verify", "Show the Cases"},
    FindingAction{"peak-tensor", "memory", "Show the Plan"},
    FindingAction{"fragmented-plan", "memory", "Try Other Plans"},
    FindingAction{"split-partition", "graph", "Show in the Graph"},
    FindingAction{"undelegated-operator", "graph", "Show in the Graph"},
    FindingAction{"quantize-outside", "lab", "Try Int8"},
    FindingAction{"data-movement", "graph", "Show in the Graph"},
    FindingAction{"no-delegate", "delegates", "Show Delegates"},
    FindingAction{"layout-conversion", "delegates", "Show Delegates"},
    FindingAction{"delegate-overhead", "delegates", "Show Delegates"},
    FindingAction{"below-limit", "roofline", "Show the Roofline"},
    FindingAction{"hot-operator", "timeline", "Show on the Timeline"},
    FindingAction{"interpreter-time", "timeline", "Show on the Timeline"},
    FindingAction{"slow-first-run", "timeline", "Show on the Timeline"},
    FindingAction{"slow-load", "timeline", "Show on the Timeline"},
    FindingAction{"attention-growth", "generate", "Show by Position"},
    FindingAction{"weight-bound-decode", "lab", "Try Smaller Weights"},
    FindingAction{"undelegated-phase", "delegates", "Show Delegates"},
    FindingAction{"costly-logits", "timeline", "Show on the Timeline"},
    FindingAction{"cache-copies", "timeline", "Show on the Timeline"},
    FindingAction{"prefill-by-token", "timeline", "Show on the Timeline"},
    FindingAction{"unsteady-runs", "run", "Measure Again"},
    FindingAction{"logged-values", "run", "Measure Without Values"},
};

}  // namespace

const FindingAction* actionOf(std::string_view rule) {
    const auto* const found = std::ranges::find(actions, rule, &FindingAction::rule);
    return found == actions.end() ? nullptr : &*found;
}

}  // namespace et::studio
