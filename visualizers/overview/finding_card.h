#pragma once

#include "inspector/findings/findings.h"

#include <QFrame>

namespace et::visualizers {

/// A finding: what it costs, what it is, why, and what to do next.
class FindingCard : public QFrame {
    Q_OBJECT

  public:
    /// `action` is the text of the button that leads to what proves or mends it; empty: none.
    FindingCard(const inspector::Finding& finding, const QString& action, QWidget* parent);

  signals:
    void chosen();  ///< show where it is
    void acted();

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    double share = 0;  ///< 0: not measured
};

/// Whether a finding has a place to show.
[[nodiscard]] bool hasPlace(const inspector::Finding& finding);

}  // namespace et::visualizers
