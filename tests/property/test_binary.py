"""Random models as bytes and back: equal models, in both semantics, whichever wrote the bytes."""

from __future__ import annotations

import json
import pickle
from random import Random

import pytest

from pigro.formats import binary, rsm_json

from oracle.generate import PROFILES, random_machine
from oracle.machine import to_json_dict
from support.selection.cases import FEW_CASES, number_of_cases, seeds

CASES = min(number_of_cases("PIGRO_RANDOM_CASES", 3000), 3000)
READINGS = ("standard", "rsmcheck")


@pytest.mark.parametrize("profile", PROFILES)
def test_round_trips(profile: str):
    rng = Random(profile)
    different = 0
    for case in seeds(CASES // len(PROFILES)):
        data = json.dumps(to_json_dict(random_machine(rng, PROFILES[profile]))).encode()
        models = {each: rsm_json.read(data, semantics=each) for each in READINGS}
        files = {each: binary.write(model) for each, model in models.items()}
        for wrote, file in files.items():
            for reads, model in models.items():
                copy = binary.read(file, semantics=reads)
                assert copy == model, (profile, case, wrote, reads)
                assert copy.digest == model.digest
                assert rsm_json.write(copy) == rsm_json.write(model)
                assert binary.write(copy) == files[reads]
        for model in models.values():
            assert pickle.loads(pickle.dumps(model, 5)) == model
        different += models["standard"].digest != models["rsmcheck"].digest
    if profile in ("oneliners", "rsmcheck"):
        assert FEW_CASES or different > CASES // len(PROFILES) // 4, (
            "the readings hardly ever differ"
        )
