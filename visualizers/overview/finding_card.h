#pragma once

#include "inspector/findings/findings.h"
#include "visualizers/toolkit/spoken_picture.h"

#include <QFrame>

namespace et::visualizers {

/// A finding: cost, description, cause and follow-up action.
class FindingCard : public QFrame, public SpokenPicture {
    Q_OBJECT

  public:
    /// `action` is the text of the button that leads to the evidence or the fix; empty: no button.
    FindingCard(const inspector::Finding& finding, const QString& action, QWidget* parent);

    [[nodiscard]] QString spokenValue() const override { return accessibleDescription(); }
    [[nodiscard]] QAccessible::Role spokenRole() const override { return QAccessible::Grouping; }

  signals:
    void chosen();  ///< request to show its location
    void acted();

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    double share = 0;  ///< 0: not measured
};

/// True if a finding has a location to show.
[[nodiscard]] bool hasPlace(const inspector::Finding& finding);

}  // namespace et::visualizers
