#pragma once

#include "inspector/findings/findings.h"
#include "visualizers/toolkit/spoken_picture.h"

#include <QFrame>

namespace et::visualizers {

/// A finding: what it costs, what it is, why, and what to do next.
class FindingCard : public QFrame, public SpokenPicture {
    Q_OBJECT

  public:
    /// `action` is the text of the button that leads to what proves or mends it; empty: none.
    FindingCard(const inspector::Finding& finding, const QString& action, QWidget* parent);

    [[nodiscard]] QString spokenValue() const override { return accessibleDescription(); }
    [[nodiscard]] QAccessible::Role spokenRole() const override { return QAccessible::Grouping; }

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
